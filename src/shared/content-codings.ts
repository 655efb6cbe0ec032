/** The content codings of compressed copies, by their names in HTTP. */
export const CODINGS = ['gzip', 'br'] as const
export type Coding = (typeof CODINGS)[number]
