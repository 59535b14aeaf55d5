import { isActionable, type DriftItem, type DriftReport } from '../../drift/drift';
import { jsonText } from '../../text/json-text';
import type { Source } from '../../value';
import { EFFECT_TIMES } from '../effects';
import { sumOf } from './words';

/** The result for programs. What doesn't exist or isn't known is `null`. */
export function driftJson({ clusters, inputs, diagnostics }: DriftReport, version: string): string {
  const report = {
    version,
    inputs,
    clusters: clusters.map((cluster) => ({
      name: cluster.name,
      code: placeOf(cluster.code?.source),
      live: placeOf(cluster.live.source),
      summary: sumOf(cluster),
      items: cluster.items.map(itemOf),
      pin: cluster.pin ?? null,
      same: cluster.same,
      unseen: cluster.unseen,
    })),
    diagnostics,
  };
  return `${jsonText(report, 2)}\n`;
}

function itemOf(item: DriftItem): object {
  const { subject, name, status, setting, live, code, text, bites, inCode, inLive } = item;
  return {
    subject,
    name,
    status,
    needsDecision: isActionable(item),
    setting: setting ?? null,
    live: live ?? null,
    code: code ?? null,
    text,
    bites:
      bites === undefined
        ? null
        : {
            when: bites.when,
            text: EFFECT_TIMES[bites.when],
            scope: bites.scope ?? null,
            effect: bites.effect ?? null,
          },
    places: { code: placeOf(inCode), live: placeOf(inLive) },
  };
}

function placeOf(source: Source | undefined): object | null {
  const place = source?.locate();
  return place === undefined || place.file === '' ? null : { file: place.file, line: place.line, column: place.column };
}
