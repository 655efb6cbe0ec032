import { Button } from '@mantine/core'
import { IconFileCode, IconSearchOff } from '@tabler/icons-react'

import { formatCountOf } from '../../shared/format'
import type { ApiDescription } from '../../shared/openapi'
import { LoadingBlock } from '../components/feedback/loading-block'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { DefinitionList } from '../components/layout/definition-list'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { ListToolbar } from '../components/table/list-toolbar'
import { EVENTS, findEvents, groupCalls } from '../features/api-docs/api-calls'
import { CallGroups, CallIndex } from '../features/api-docs/call-groups'
import { EventGroup } from '../features/api-docs/event-group'
import { DESCRIPTION_PATH, useApiDescription } from '../features/api-docs/use-api-description'
import { useListView } from '../lib/use-list-view'
import { usePageTitle } from '../session/page-title'

import classes from './api-docs.module.css'

/** The API reference, rendered from the OpenAPI document. */
export function ApiDocsPage() {
  usePageTitle('API')
  const description = useApiDescription()
  return (
    <>
      <PageHeader
        title="API"
        subtitle="The calls behind the screens, for your own scripts"
        actions={
          <Button
            component="a"
            href={DESCRIPTION_PATH}
            variant="default"
            leftSection={<IconFileCode size={16} aria-hidden="true" />}
          >
            OpenAPI 3.1
          </Button>
        }
      />
      {description.data ? (
        <Calls description={description.data} />
      ) : (
        <Panel>
          {description.isError ? (
            <LoadError title="The API could not be loaded" query={description} />
          ) : (
            <LoadingBlock height={320} label="Loading the API" />
          )}
        </Panel>
      )}
    </>
  )
}

function Calls({ description }: { description: ApiDescription }) {
  const [{ q = '' }, setView] = useListView()
  const groups = groupCalls(description, q)
  const events = findEvents(description, q)
  const parts = [
    ...groups.map(({ name, calls }) => ({ name, count: calls.length })),
    ...(events.length > 0 ? [{ name: EVENTS, count: events.length }] : []),
  ]
  const count = groups.reduce((sum, { calls }) => sum + calls.length, 0)
  const { schemas } = description.components
  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <Panel>
          <Basics description={description} />
        </Panel>
        <Panel isFlush>
          <ListToolbar
            label="Search calls and events"
            query={q}
            onQueryChange={(query) => setView({ q: query || undefined })}
          >
            {formatCountOf(count, 'call')}, {formatCountOf(events.length, 'event')}
          </ListToolbar>
          {parts.length > 0 ? (
            <>
              <CallGroups groups={groups} schemas={schemas} />
              {events.length > 0 && <EventGroup events={events} schemas={schemas} />}
            </>
          ) : (
            <EmptyState
              icon={IconSearchOff}
              title="No matching calls or events"
              action={
                <Button variant="default" onClick={() => setView({ q: undefined })}>
                  Clear filters
                </Button>
              }
            >
              No results for “<bdi>{q}</bdi>”.
            </EmptyState>
          )}
        </Panel>
      </div>
      <CallIndex parts={parts} />
    </div>
  )
}

/** What applies to every call. */
function Basics({ description: { components } }: { description: ApiDescription }) {
  const cookie = components.securitySchemes.session?.name
  return (
    <DefinitionList
      items={[
        {
          term: 'Session',
          value: (
            <>
              cookie <code>{cookie}</code>, set by <code>POST /api/login</code>
            </>
          ),
        },
        { term: 'Requests and responses', value: 'JSON, except for files' },
        { term: 'Errors', value: <code>{'{"message": "…"}'}</code> },
      ]}
    />
  )
}
