/** Who somebody is, as the identity provider vouches for it; its address is verified. */
export type Identity = {
  /** Together with the subject, what a person is known by. */
  issuer: string
  subject: string
  email: string
  name: string | null
  pictureUrl: string | null
}

/** What ties the provider's answer to the session that asked. */
export type SignInRequest = { state: string; nonce: string; codeVerifier: string }

/** Signs people in for us, on pages of its own. */
export interface IdentityProvider {
  /**
   * Prepares a sign-in that comes back to `redirectUri`; the person goes to `url`.
   * @throws DomainError UNAVAILABLE while the provider cannot be reached
   */
  begin(redirectUri: string): Promise<{ url: string; request: SignInRequest }>
  /**
   * Checks everything about `answer`, the address that the browser came back with.
   * @throws DomainError when it is a refusal, does not belong to the request or is not to be trusted
   */
  verify(answer: URL, request: SignInRequest): Promise<Identity>
}
