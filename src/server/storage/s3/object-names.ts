/** Where the objects of stored files are. */
export const STORED_FILES = 'files/'

/** The name of a stored file's object. */
export const nameOf = (sha256: string) => `${STORED_FILES}${sha256.slice(0, 2)}/${sha256}.csv`
