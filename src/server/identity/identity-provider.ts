/** A person as confirmed by the identity provider, with a verified email address. */
export type Identity = {
  /** Identifies a person together with `subject`. */
  issuer: string
  subject: string
  email: string
  name: string | null
  pictureUrl: string | null
}

/** Ties the provider's response to the session that requested the sign-in. */
export type SignInRequest = { state: string; nonce: string; codeVerifier: string }

/** An external service that signs people in on its own pages. */
export interface IdentityProvider {
  /**
   * Prepares a sign-in: the person is sent to `url`, and the provider redirects to `redirectUri`. `isAnew` asks
   * the provider to have even a person sign in who is signed in there.
   * @throws DomainError UNAVAILABLE while the provider cannot be reached
   */
  begin(
    redirectUri: string,
    how: { isAnew: boolean },
  ): Promise<{ url: string; request: SignInRequest }>
  /**
   * Verifies the provider's response and returns the person.
   * @param callbackUrl the URL that the browser was redirected to, with its parameters
   * @param since in Unix milliseconds: who signed in earlier there is refused, where the provider tells when
   * @throws DomainError when it is a refusal, does not belong to the request or is not valid
   */
  verify(callbackUrl: URL, request: SignInRequest, since?: number): Promise<Identity>
}
