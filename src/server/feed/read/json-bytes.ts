/** How many bytes a value takes as JSON, in UTF-8. */
export const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
