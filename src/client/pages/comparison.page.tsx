import { IconArrowsDiff } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

import type { Version } from '../../shared/schemas/publishing'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { BackLink, ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { Comparison } from '../features/comparisons/comparison'
import { HeldFile } from '../features/publishing/held-file'
import { findOlder, VERSION_STATE_WORDS } from '../features/publishing/version-states'
import type { ComparisonView } from '../lib/comparison-view'
import { errorStatus } from '../lib/error-message'
import { readId } from '../lib/read-id'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'
import { NotFoundPage } from './not-found.page'

import classes from './panels.module.css'

const ROUTE = '/supplier/supplier/connections/$connectionId/comparison'

/** What differs between two files of a supplier's connection, and what is to be decided of a held one. */
export function ComparisonPage() {
  const { connectionId } = useParams({ from: ROUTE })
  const id = readId(connectionId)
  const connections = trpc.connections.list.useQuery()
  const query = trpc.publishing.versions.useQuery({ id: id ?? 0 }, { enabled: id !== null })
  const name = connections.data?.find((connection) => connection.id === id)?.name
  const title = name === undefined ? 'What Has Changed' : `What Has Changed in ${name}`
  usePageTitle(title)
  if (id === null || errorStatus(query.error) === 404) return <NotFoundPage />
  return (
    <>
      <BackLink to="/supplier/connections/$connectionId/history" params={{ connectionId }}>
        Feed history
      </BackLink>
      <PageHeader title={title} subtitle="Every item that differs between two files" />
      {query.isError && !query.data ? (
        <Panel>
          <LoadError title="The files could not be loaded" query={query} />
        </Panel>
      ) : query.data ? (
        <div className={classes.panels}>
          <ComparedFiles connectionId={id} files={query.data.versions} />
        </div>
      ) : (
        <PageSpinner />
      )}
    </>
  )
}

function ComparedFiles({ connectionId, files }: { connectionId: number; files: Version[] }) {
  const navigate = useNavigate()
  const view = useSearch({ from: ROUTE })
  const { older, newer } = chooseFiles(files, view)
  if (!older || !newer) return <NoFiles connectionId={connectionId} hasTwo={files.length > 1} />
  return (
    <>
      {[older, newer].some(({ state }) => state === 'held') && (
        <HeldFile connectionId={connectionId} isCompared />
      )}
      <Comparison
        connectionId={connectionId}
        older={older}
        newer={newer}
        files={files.map((file) => ({ ...file, note: VERSION_STATE_WORDS[file.state].word }))}
        view={view}
        onView={(change) =>
          void navigate({
            to: '.',
            search: (current: ComparisonView) => ({ ...current, ...change }),
            // Back undoes a choice, but not a search letter by letter.
            replace: 'q' in change,
            resetScroll: false,
          })
        }
      />
    </>
  )
}

/** The files in the URL; without them, the held file or else the published one, and the one before it. */
function chooseFiles(files: Version[], { from, to }: ComparisonView) {
  const named = (name: string) => files.find(({ fileName }) => fileName === name)
  const inState = (wanted: Version['state']) => files.find(({ state }) => state === wanted)
  const newer = to === undefined ? (inState('held') ?? inState('current')) : named(to)
  if (from !== undefined) return { older: named(from), newer }
  const published = newer?.state === 'held' ? inState('current') : undefined
  return { older: published ?? (newer && findOlder(files, newer)), newer }
}

const NoFiles = ({ connectionId, hasTwo }: { connectionId: number; hasTwo: boolean }) => (
  <Panel>
    <EmptyState
      icon={IconArrowsDiff}
      title={hasTwo ? 'A file is no longer there' : 'Nothing to compare yet'}
      action={
        <ButtonLink
          variant="default"
          to="/supplier/connections/$connectionId/history"
          params={{ connectionId: String(connectionId) }}
        >
          Choose files in the history
        </ButtonLink>
      }
    >
      {hasTwo
        ? 'Older files are removed after a while, and the first one has none before it.'
        : 'As soon as your source has sent two different files, they can be compared here.'}
    </EmptyState>
  </Panel>
)
