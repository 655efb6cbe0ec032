import { Button, Switch } from '@mantine/core'
import { IconFileCode, IconSearchOff } from '@tabler/icons-react'

import { formatCountOf } from '../../shared/format'
import type { ApiDescription } from '../../shared/openapi'
import { LoadingBlock } from '../components/feedback/loading-block'
import { EmptyState, LoadError } from '../components/feedback/message-state'
import { DefinitionList } from '../components/layout/definition-list'
import { TextLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { ListToolbar } from '../components/table/list-toolbar'
import { EVENTS, findEvents, forRole, groupCalls } from '../features/api-docs/api-calls'
import { CallGroups, CallIndex } from '../features/api-docs/call-groups'
import { EventGroup } from '../features/api-docs/event-group'
import { DESCRIPTION_PATH, useApiDescription } from '../features/api-docs/use-api-description'
import type { ListView } from '../lib/list-view'
import { useListView } from '../lib/use-list-view'
import { useSignedInUser } from '../session/current-user'
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
        subtitle="The calls behind your screens, and the feeds, for your own scripts"
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

/** `all`: also the calls of other roles, for administrators. */
type CallsView = ListView & { all?: true | undefined }

function Calls({ description }: { description: ApiDescription }) {
  const { role } = useSignedInUser()
  const isAdministrator = role === 'SUPER_ADMIN'
  const [{ q = '', all }, setView] = useListView<CallsView>()
  const shown = forRole(description, isAdministrator && all ? undefined : role)
  const groups = groupCalls(shown, q)
  const events = findEvents(shown, q)
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
            filter={
              isAdministrator && (
                <Switch
                  label="Show all calls"
                  checked={all === true}
                  onChange={(event) => setView({ all: event.currentTarget.checked || undefined })}
                />
              )
            }
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
  const { session } = components.securitySchemes
  const cookie = session && 'name' in session ? session.name : ''
  return (
    <DefinitionList
      items={[
        {
          term: 'API key',
          value: (
            <>
              header <code>Authorization: Bearer sb_…</code>, with a key of yours from{' '}
              <TextLink to="/api-keys" inherit>
                API keys
              </TextLink>
            </>
          ),
        },
        {
          term: 'Or a session',
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
