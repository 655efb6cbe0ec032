import { createInlineReader } from '../../testing/stages/reader-inline'
import { createFileFetcher } from '../fetch/fetch'
import { describeFileReaders } from '../file-readers.contract'
import { toChildCommands } from './child-command'
import { createThreadedReaders } from './readers-in-thread'

describeFileReaders('the inline file reader', ({ allow, maxBytes }) =>
  createInlineReader(createFileFetcher({ allow, maxBytes, now: Date.now }), maxBytes),
)

describeFileReaders('the file reader in child processes', (reach) =>
  createThreadedReaders({
    commands: toChildCommands({ ...reach, env: {} }),
    concurrency: {
      ingest: 1,
      filter: 1,
      preview: 1,
      sample: 1,
      stockTexts: 1,
      browse: 1,
      comparison: 1,
      changedItems: 1,
      comparisonList: 1,
      goneItems: 1,
      delta: 1,
      digest: 1,
      historyChanges: 1,
      historyFold: 1,
      historyJoin: 1,
      partFile: 1,
      mergedFile: 1,
      matching: 1,
      compress: 1,
      readMail: 1,
      unlockKey: 1,
    },
    onUnexpectedExit: () => undefined,
  }),
)
