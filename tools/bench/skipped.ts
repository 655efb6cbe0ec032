/** A row, or a part of one, that cannot be measured on this machine; the message says why. */
export class Skipped extends Error {}
