import { readBottlerocket, type BottlerocketReading } from '../user-data/bottlerocket';
import type { UserDataDocument } from '../user-data/document';

/** User data as Bottlerocket reads it; worked out once. Ask for the format first: of MIME and scripts all of it is a syntax error. */
export function bottlerocketSettingsOf(document: UserDataDocument): BottlerocketReading {
  let reading = readings.get(document);
  if (reading === undefined) {
    reading = readBottlerocket(document.text);
    readings.set(document, reading);
  }
  return reading;
}

const readings = new WeakMap<UserDataDocument, BottlerocketReading>();
