import type { BackupFile } from '../../shared/schemas/cron-job'
import { until, type RestClient } from './rest-client'

/** Makes a backup. @returns its name, which is not that of `earlier` */
export async function makeBackup(admin: RestClient, earlier?: string): Promise<string> {
  await admin.send('POST', '/api/admin/trigger-backup')
  const list = async () => (await admin.send('GET', '/api/admin/backup-files')).body as BackupFile[]
  const [made] = await until(list, ([newest]) => {
    return newest !== undefined && newest.filename !== `${earlier}.tar`
  })
  return made!.filename.replace(/\.tar$/, '')
}

/** Asks for a backup to be restored into the running product. */
export async function beginRestore(admin: RestClient, backup: string): Promise<void> {
  const input = { fileName: `${backup}.tar`, typedName: backup }
  const { status, text } = await admin.send('POST', '/trpc/restores.begin', input)
  if (status !== 200) throw new Error(`${backup} could not be restored: ${text}`)
}

/** The usernames of all suppliers. */
export async function listSuppliers(admin: RestClient): Promise<string[]> {
  const { body } = await admin.send('GET', '/api/suppliers')
  return (body as { username: string }[]).map(({ username }) => username)
}
