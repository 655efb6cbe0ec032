import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

interface JudgedFile {
  name: string
  /** Whether it belongs to the half that is only counted. */
  isHeldOut: boolean
}

/** The files that the arguments ask for, as the script that has written them describes them. */
export function readTruth<File extends JudgedFile>() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      'held-out': { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  })
  const [folder] = positionals
  if (folder === undefined) throw new Error('Arguments: FOLDER [--held-out] [--only TEXT]')
  const isHeldOut = values['held-out']
  const files = (JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8')) as File[]).filter(
    (file) => file.isHeldOut === isHeldOut && file.name.includes(values.only),
  )
  return { files, isHeldOut, bytesOf: ({ name }: File) => readFileSync(join(folder, name)) }
}
