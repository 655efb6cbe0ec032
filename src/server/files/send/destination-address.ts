import { FileError } from '../file-error'

/** What is not a name at any server, or would be read as something else. */
const IS_NAME = /^[^./\\*?#%\p{Cc}][^/\\*?#%\p{Cc}]{0,199}$/u

/** The address of a file in a folder. @throws FileError for a name that could be taken for anything else */
export function inFolder(address: string, fileName: string): string {
  requireName(fileName)
  return `${address}${address.endsWith('/') ? '' : '/'}${fileName}`
}

/** The web address of a file: as it was entered, with the name after a slash at its end. */
export function atWebAddress(address: string, fileName: string): string {
  requireName(fileName)
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  // `https://shop.example` has no slash at its end, though it gets one as it is read.
  const isFolder = /^[^?#]*\/(?:[?#]|$)/.test(address) && !/^[a-z]+:\/\/$/i.test(address)
  if (isFolder) url.pathname += encodeURIComponent(fileName)
  return url.href
}

function requireName(fileName: string): void {
  if (IS_NAME.test(fileName)) return
  throw new FileError('bad-address', 'The file has a name that not every server takes: change it.')
}
