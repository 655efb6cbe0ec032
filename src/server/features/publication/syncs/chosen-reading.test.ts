import iconv from 'iconv-lite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { HOUR_MS } from '../../../../shared/durations'
import type { SourceReading } from '../../../../shared/schemas/source-reading'
import { openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { readFindings } from '../../catalogue/versions/connection-files'

/** Guessed as Windows-1250. */
const GUESSED = iconv.encode('sku,name\n1,Čaj růžový\n2,Žlutý kůň\n3,Šaty\n', 'windows-1250')

describe('the reading of a connection', () => {
  let stage: SyncStage

  beforeEach(async () => {
    stage = await openSyncStage()
    stage.sourceServer.set('/feed.csv', { body: GUESSED, etag: '"v1"' })
    await stage.connect()
    await stage.deps.work()
  })
  afterEach(() => stage.close())

  async function choose(reading: Partial<SourceReading>) {
    const { deps, supplier, current } = stage
    const { id } = await current()
    await updateConnection(deps, supplier, { id, reading: { ...AUTOMATIC_READING, ...reading } })
    await deps.queue.idle()
  }

  const findings = async () => readFindings(stage.deps, stage.supplier, (await stage.current()).id)

  it('makes the next sync read the file again at once, although its source has not changed it', async () => {
    await choose({ encoding: 'windows-1252' })
    expect(stage.sourceServer.requests.at(-1)?.headers).not.toHaveProperty('if-none-match')
    expect(await stage.publishedText()).toContain('Èaj')
    expect(await stage.files()).toHaveLength(2)
    expect(await findings()).toMatchObject({ dialect: { encoding: 'windows-1252' }, problems: [] })
  })

  it('is used by every later sync', async () => {
    await choose({ encoding: 'windows-1252' })
    stage.sourceServer.set('/feed.csv', { body: Buffer.concat([GUESSED, Buffer.from('4,x\n')]) })
    stage.deps.clock.advance(HOUR_MS)
    await stage.deps.work()
    expect(await stage.files()).toHaveLength(3)
    expect(await stage.publishedText()).toContain('Èaj')
  })

  it('confirms a guess: the note goes, and the file is not published again', async () => {
    expect(await findings()).toMatchObject({ problems: [{ setting: 'encoding' }] })
    await choose({ encoding: 'windows-1250' })
    expect(await findings()).toMatchObject({ problems: [] })
    expect(await stage.files()).toHaveLength(1)
  })

  it('fails the sync when the file does not fit, and keeps the last good file', async () => {
    await choose({ encoding: 'utf-8' })
    expect(await stage.current()).toMatchObject({
      status: 'failed',
      lastError: 'The chosen encoding, UTF-8, does not fit: line 2 has bytes that are not UTF-8.',
    })
    expect(await stage.publishedText()).toContain('Čaj')
  })
})
