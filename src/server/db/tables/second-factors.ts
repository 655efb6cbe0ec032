/** The authenticator app of a person, whose codes a sign-in with the password needs besides. */
export type SecondFactorsTable = {
  userId: number
  /** The key that the app shares, encrypted. */
  sealedKey: string
  /** The end of the 30 seconds of the last code that was accepted: no code up to then is accepted again. */
  codesTakenUntil: number
  createdAt: number
}

/** A code that works once in place of one of the app; used ones are deleted. */
export type RecoveryCodesTable = {
  userId: number
  /** SHA-256 of the code, in hexadecimal. */
  codeHash: string
}
