/** The decimals of a column in which every cell is exactly a number; null for texts. */
export type Scale = number | null

/** What a 64-bit decimal holds. */
export const DECIMAL_DIGITS = 18
