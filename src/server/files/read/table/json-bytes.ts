/** The size of a value as JSON in UTF-8, in bytes. */
export const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
