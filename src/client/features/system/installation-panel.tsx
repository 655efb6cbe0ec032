import type { SystemState } from '../../../shared/schemas/system'
import { DefinitionList } from '../../components/layout/definition-list'
import { Panel } from '../../components/layout/panel'

/** What the installation is, and where its data are. */
export function InstallationPanel({ state }: { state: SystemState }) {
  const { version, revision, runtime, database, files, backups, queue } = state
  const items = [
    {
      term: 'Version',
      value: revision === null ? version : `${version} (${revision.slice(0, 7)})`,
    },
    { term: 'Runtime', value: runtime },
    { term: 'Database', value: `${database.engine} ${database.version}` },
    { term: 'Place of the database', value: database.place },
    { term: files.isBucket ? 'Bucket of files' : 'Folder of files', value: files.place },
    { term: backups.isBucket ? 'Bucket of backups' : 'Folder of backups', value: backups.place },
    { term: 'Queue', value: queue === 'redis' ? 'Redis' : 'Database' },
  ]
  return (
    <Panel title="Installation">
      <DefinitionList items={items} />
    </Panel>
  )
}
