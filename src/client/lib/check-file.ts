/** A file that was refused; a 401 among these ends the session here, as that of any call does. */
export class FileRefusal extends Error {
  constructor(readonly httpStatus: number) {
    super(`The file was refused with ${httpStatus}`)
  }
}

/** @throws FileRefusal, or the network's error, when the file cannot be had */
export async function checkFile(href: string): Promise<void> {
  const answer = await fetch(href, { method: 'HEAD' })
  if (!answer.ok) throw new FileRefusal(answer.status)
}
