import type { ReactNode } from 'react'

import type { ShownMergedFile } from '../../../shared/schemas/merged-file'
import { lazyPart } from '../../components/feedback/lazy-part'
import type { FailedQuery } from '../../components/feedback/message-state'
import { useMay } from '../../session/may'
import { EndMergedFile } from './end-merged-file'
import { FileState } from './file-state'
import { KeptVersions } from './kept-versions'
import { MergedAddress } from './merged-address'
import { PartsPanel } from './parts-panel'

import classes from './merged-file.module.css'

const FirstMergedFile = lazyPart(
  async () => (await import('./first-merged-file')).FirstMergedFile,
  {
    name: 'form',
    height: 480,
  },
)

const MergedSettings = lazyPart(async () => (await import('./merged-settings')).MergedSettings, {
  name: 'settings',
  height: 900,
})

const MergedFormat = lazyPart(async () => (await import('./merged-format')).MergedFormat, {
  name: 'shop format',
  height: 240,
})

const MatchingPanel = lazyPart(async () => (await import('./matching-panel')).MatchingPanel, {
  name: 'matching',
  height: 320,
})

/** Said to those whose role does not include it. */
const WHO_CHANGES = 'Owners and technicians of your company change it.'
const WHO_CONNECTS = 'Owners and technicians of your company create it.'

interface MergedFileProps {
  file: ShownMergedFile
  query: FailedQuery
  /** Where it is sent to: before what ends all of it. */
  children: ReactNode
}

/** One file made of those of several suppliers: what it is now, how it is made, and where it is read. */
export function MergedFile({ file, query, children }: MergedFileProps) {
  const mayChange = useMay('addresses')
  const { settings } = file
  if (!settings) return <FirstMergedFile file={file} whoChanges={WHO_CHANGES} />
  const parts = { file, settings, whoChanges: WHO_CHANGES }
  return (
    <div className={classes.page}>
      <FileState file={file} />
      <PartsPanel file={file} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <MergedSettings {...parts} />
        </div>
        <div className={classes.column}>
          <MergedAddress {...parts} whoChanges={WHO_CONNECTS} query={query} />
          <MergedFormat {...parts} />
          <MatchingPanel {...parts} />
          {file.versions.length > 0 && <KeptVersions versions={file.versions} />}
        </div>
      </div>
      {children}
      {mayChange && <EndMergedFile />}
    </div>
  )
}
