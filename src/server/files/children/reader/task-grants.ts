import type {
  FileTasks,
  HistoryFile,
  KeyedPaths,
  OverlayTask,
  PublishedFile,
  TaskKind,
  UpdateTask,
  WrittenContent,
} from '../../file-readers'

/** The paths of the files that a task may use. */
export interface Grants {
  reads: string[]
  /** Its scratch files; it may name more of them after each. */
  writes: string[]
}

interface TaskFilesOf<Kind extends TaskKind> {
  grants(task: FileTasks[Kind]['task']): Grants
  /** The scratch files that its result names, with what the result says of them. */
  results(
    task: FileTasks[Kind]['task'],
    result: FileTasks[Kind]['result'],
  ): (readonly [path: string, content: WrittenContent])[]
}

const none = () => []
const keyed = ({ file, keys }: KeyedPaths) => [file, keys]
const baseOf = (updates: UpdateTask | undefined) =>
  updates && 'file' in updates.base ? keyed(updates.base) : []
const filesOfOverlay = (overlay: OverlayTask | undefined) => (overlay ? [overlay.file] : [])
const isPath = (path: string | null | undefined): path is string => typeof path === 'string'
const pathsOf = (files: readonly HistoryFile[]) => files.map((file) => file.path)
const filesOfPublished = (published: PublishedFile | undefined) =>
  published
    ? [...(published.paths ? keyed(published.paths) : []), published.gone.list].filter(isPath)
    : []

/** The files of each kind of task. */
const filesOf: { [Kind in TaskKind]: TaskFilesOf<Kind> } = {
  ingest: {
    grants: ({ drafts, updates, overlay, published }) => ({
      reads: [...baseOf(updates), ...filesOfOverlay(overlay), ...filesOfPublished(published)],
      writes: [...Object.values(drafts), ...filesOfOverlay(overlay)],
    }),
    results({ drafts }, result) {
      if (result.kind !== 'file') return []
      const { draft, content, keys, changes } = result
      const gone = changes?.gone
      return [
        [drafts[draft], content],
        ...(keys ? ([[drafts.keys, keys.content]] as const) : []),
        ...(gone?.kind === 'written' ? ([[drafts.gone, gone.content]] as const) : []),
      ]
    },
  },
  preview: {
    grants: ({ draft, updates, overlay }) => ({
      reads: [...baseOf(updates), ...filesOfOverlay(overlay)],
      writes: [draft, ...filesOfOverlay(overlay)],
    }),
    results: none,
  },
  filter: {
    grants: ({ file, views }) => ({
      reads: [file, ...views.map(({ gone }) => gone?.file)].filter(isPath),
      writes: views.map(({ draft }) => draft),
    }),
    results: ({ views }, { files }) =>
      files.flatMap((file, place) =>
        file.kind === 'written' ? [[views[place]?.draft ?? '', file.content] as const] : [],
      ),
  },
  sample: {
    grants: ({ file, gone }) => ({ reads: [file, gone?.file].filter(isPath), writes: [] }),
    results: none,
  },
  stockTexts: { grants: ({ file }) => ({ reads: [file], writes: [] }), results: none },
  browse: { grants: ({ file }) => ({ reads: [file], writes: [] }), results: none },
  comparison: {
    grants: ({ older, newer }) => ({ reads: [...keyed(older), ...keyed(newer)], writes: [] }),
    results: none,
  },
  changedItems: {
    grants: ({ older, newer }) => ({ reads: [...keyed(older), ...keyed(newer)], writes: [] }),
    results: none,
  },
  comparisonList: {
    grants: ({ older, newer, draft }) => ({
      reads: [...keyed(older), ...keyed(newer)],
      writes: [draft],
    }),
    results: ({ draft }, { content }) => [[draft, content]],
  },
  goneItems: {
    grants: ({ older, newer, draft }) => ({
      reads: [...keyed(older), older.gone, newer.keys, newer.rows?.file].filter(isPath),
      writes: [draft],
    }),
    results: ({ draft }, { content }) => (content ? [[draft, content]] : []),
  },
  delta: {
    grants: ({ older, newer, version, draft }) => ({
      reads: [older.file, older.selection?.gone?.file, newer, version.file].filter(isPath),
      writes: [draft],
    }),
    results: ({ draft }, { content }) => [[draft, content]],
  },
  digest: {
    grants: ({ older, newer, draft }) => ({
      reads: [...keyed(older.keyed), ...keyed(newer.keyed)],
      writes: [draft],
    }),
    results: none,
  },
  historyChanges: {
    grants: ({ file, state, changes, draft }) => ({
      reads: [file, ...pathsOf([...(state ? [state] : []), ...changes])],
      writes: [draft],
    }),
    results: ({ draft }, { found }) => (found ? [[draft, found.content]] : []),
  },
  historyFold: {
    grants: ({ state, changes, drafts }) => ({
      reads: pathsOf([state, ...changes]),
      writes: Object.values(drafts),
    }),
    results: ({ drafts }, { state, past }) => [
      [drafts.state, state.content],
      [drafts.past, past.content],
    ],
  },
  historyJoin: {
    grants: ({ parts, draft }) => ({ reads: pathsOf(parts), writes: [draft] }),
    results: ({ draft }, { content }) => [[draft, content]],
  },
  partFile: {
    grants: ({ file, matching, draft }) => ({
      reads: [file, matching].filter(isPath),
      writes: [draft],
    }),
    results: ({ draft }, { content }) => [[draft, content]],
  },
  mergedFile: {
    grants: ({ parts, drafts }) => ({
      reads: parts.map(({ file }) => file),
      writes: Object.values(drafts),
    }),
    results: ({ drafts }, { content, keys, unmatched }) => [
      [drafts.rows, content],
      [drafts.keys, keys],
      [drafts.unmatched, unmatched],
    ],
  },
  matching: { grants: ({ file }) => ({ reads: [file], writes: [] }), results: none },
  compress: {
    grants: ({ file, draft }) => ({ reads: [file], writes: [draft] }),
    results: ({ draft }, { content }) => [[draft, content]],
  },
  readMail: {
    grants: ({ file, draft }) => ({ reads: [file], writes: [draft] }),
    results: ({ draft }, { file }) => (file ? [[draft, file.content]] : []),
  },
  unlockKey: { grants: () => ({ reads: [], writes: [] }), results: () => [] },
}

export const grantsOf = <Kind extends TaskKind>(
  kind: Kind,
  task: FileTasks[Kind]['task'],
): Grants => filesOf[kind].grants(task)

export const resultsOf = <Kind extends TaskKind>(
  kind: Kind,
  task: FileTasks[Kind]['task'],
  result: FileTasks[Kind]['result'],
) => filesOf[kind].results(task, result)
