import { readFileSync } from 'node:fs'

/**
 * The environment with secrets read from the files that `NAME_FILE` names, and the problems with these files.
 * @param names of the variables that may be in files
 */
export function readSecretFiles(environment: NodeJS.ProcessEnv, names: readonly string[]) {
  const values = { ...environment }
  const problems: string[] = []
  for (const name of names) {
    const file = environment[`${name}_FILE`]
    try {
      if (file) values[name] = readFileSync(file, 'utf8').trimEnd()
    } catch (error) {
      problems.push(`${name}_FILE: ${(error as Error).message}`)
    }
  }
  return { values, problems }
}
