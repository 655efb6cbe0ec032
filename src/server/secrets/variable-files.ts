import { readFileSync } from 'node:fs'

/**
 * The environment with variables read from the files that `NAME_FILE` names, such as a mounted secret,
 * and the problems with these files. A file takes the place of a value.
 * @param names of the variables that may be in files
 */
export function readVariableFiles(environment: NodeJS.ProcessEnv, names: readonly string[]) {
  const values = { ...environment }
  const problems: string[] = []
  for (const name of names) {
    const file = environment[`${name}_FILE`]
    if (!file) continue
    try {
      values[name] = readFileSync(file, 'utf8').trimEnd()
      // Otherwise the default would be used, or a key generated.
      if (values[name] === '') problems.push(`${name}_FILE: ${file} is empty`)
    } catch (error) {
      problems.push(`${name}_FILE: ${(error as Error).message}`)
    }
  }
  return { values, problems }
}
