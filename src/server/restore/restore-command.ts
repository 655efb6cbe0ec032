/** The command line that restores a backup, quoted for a shell. */
export function toRestoreCommand(
  file: string,
  { isReplacing = false, isTrusted = false }: { isReplacing?: boolean; isTrusted?: boolean },
): string {
  const isPlain = /^[\w./:@%+=,][\w./:@%+=,-]*$/.test(file)
  const quoted = isPlain ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`
  return `npm run restore -- ${quoted}${isReplacing ? ' --replace' : ''}${isTrusted ? ' --trust' : ''}`
}
