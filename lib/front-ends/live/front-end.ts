import type { FrontEnd } from '../front-end';
import { answerIn, failureIn } from './answers';
import { LIVE } from './dialects';
import { liveReader, type LiveReader } from './reading';

declare module '../../value/input-summary' {
  interface InputKinds {
    readonly 'live-cluster': true;
  }
}

/** What the AWS command line and kubectl print of a cluster that runs, in JSON. */
export const live: FrontEnd<LiveReader> = {
  kinds: { 'live-cluster': 'live cluster' },
  sought: 'answer about a cluster that runs',
  dialects: [LIVE],
  detection: {
    fileNames: /\.json$/i,
    inText: (text) => (answerIn(text) !== undefined || failureIn(text) !== undefined ? 'surely' : undefined),
  },
  reader: liveReader,
  take(reader, input) {
    if (input.is !== 'file' || input.text === undefined) return undefined;
    return reader.add(input.path, input.text, input.isNamed);
  },
};
