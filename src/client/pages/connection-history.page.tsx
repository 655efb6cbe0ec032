import { useParams } from '@tanstack/react-router'

import { PageSpinner } from '../components/feedback/page-spinner'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { HeldFile } from '../features/publishing/held-file'
import { VersionsPanel } from '../features/publishing/versions-panel'
import { RunCharts } from '../features/timeline/run-charts'
import { Timeline } from '../features/timeline/timeline'
import { readId } from '../lib/read-id'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'
import { NotFoundPage } from './not-found.page'

import classes from './panels.module.css'

/** The files of a supplier's connection, and what has happened to it. */
export function ConnectionHistoryPage() {
  const connections = trpc.connections.list.useQuery()
  const { connectionId } = useParams({
    from: '/supplier/supplier/connections/$connectionId/history',
  })
  const id = readId(connectionId)
  const files = trpc.publishing.versions.useQuery({ id: id ?? 0 }, { enabled: id !== null })
  const figures = trpc.timeline.figures.useQuery({ id: id ?? 0 }, { enabled: id !== null })
  // Each has its place above the timeline, which moves if one comes late.
  const isPending = [connections, files, figures].some((query) => query.isPending)
  const held = files.data?.versions.find(({ state }) => state === 'held')
  const name = connections.data?.find((connection) => connection.id === id)?.name
  const title = name === undefined ? 'Feed history' : `Feed history of ${name}`
  usePageTitle(title)
  if (id === null) return <NotFoundPage />
  return (
    <>
      <BackLink to="/supplier/connections">Data Connections</BackLink>
      <PageHeader title={title} subtitle="Every file of your source, and what became of it" />
      {isPending && <PageSpinner />}
      <div className={classes.panels} hidden={isPending}>
        <HeldFile connectionId={id} />
        <VersionsPanel connectionId={id} />
        <RunCharts connectionId={id} />
        <Timeline connectionId={id} canCompare toldFile={held?.fileName} />
      </div>
    </>
  )
}
