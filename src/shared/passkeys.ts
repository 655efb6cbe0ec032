export const MAX_PASSKEYS_PER_PERSON = 10

/** How browsers reach a passkey. */
export const PASSKEY_TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const
export type PasskeyTransport = (typeof PASSKEY_TRANSPORTS)[number]
