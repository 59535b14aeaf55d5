/** An advice leaves open what to do, or where. */
export class CannotPaste extends Error {}
