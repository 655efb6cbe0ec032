const SHOWN_CHARACTERS = 4

/** The part of a token by which people tell addresses apart. */
export const endOfFeedToken = (token: string): string => token.slice(-SHOWN_CHARACTERS)
