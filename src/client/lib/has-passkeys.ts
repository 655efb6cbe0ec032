/** Whether the browser has passkeys, on a page at this address. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis
