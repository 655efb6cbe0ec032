import { Button, Group, Select, Text } from '@mantine/core'
import { useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import type { AccessRequest } from '../../../shared/schemas/directory'
import type { ListedGroup } from '../../../shared/schemas/group'
import { TimeAgo } from '../../components/feedback/time-ago'
import { Panel } from '../../components/layout/panel'
import { toGroupOptions } from '../../lib/group-options'
import { showFailure, showSuccess } from '../../lib/toast'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'

import classes from './requests-panel.module.css'

/** The retailers that wait for an answer. Nothing while none does. */
export function RequestsPanel() {
  const { data } = trpc.requests.list.useQuery()
  const groups = trpc.groups.list.useQuery().data ?? []
  const mayAnswer = useMay('manage')
  if (!data || data.requests.length === 0) return null
  const { requests, openCount } = data
  return (
    <Panel
      title="Requests"
      description={`${formatCountOf(openCount, 'retailer')} ${openCount === 1 ? 'asks' : 'ask'} for your files${
        openCount > requests.length ? `, of which these are the first ${requests.length}` : ''
      }`}
    >
      <ul className={classes.requests}>
        {requests.map((request) => (
          <li key={request.id} className={classes.request}>
            <div className={classes.words}>
              <Text component="h3" fz="sm" fw={600}>
                <bdi>{request.storeName}</bdi>
              </Text>
              <Text fz="sm" c="dimmed">
                {request.storeUrl && (
                  <>
                    <bdi>{request.storeUrl}</bdi>,{' '}
                  </>
                )}
                <TimeAgo instant={request.createdAt} />
              </Text>
              {request.message && (
                <p className={classes.message} dir="auto">
                  {request.message}
                </p>
              )}
            </div>
            {mayAnswer && <Answer request={request} groups={groups} />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface AnswerProps {
  request: AccessRequest
  groups: readonly ListedGroup[]
}

function Answer({ request: { id, storeName }, groups }: AnswerProps) {
  const newcomers = groups.find(({ isForNewcomers }) => isForNewcomers)
  const [chosen, setChosen] = useState<string>()
  const group = chosen ?? String(newcomers?.id ?? '')
  const utils = trpc.useUtils()
  const done = {
    onError: (error: unknown) => showFailure(error),
    onSettled: () => {
      void utils.requests.invalidate()
      void utils.retailers.invalidate()
      void utils.groups.invalidate()
    },
  }
  const approve = trpc.requests.approve.useMutation({
    ...done,
    onSuccess: () => showSuccess(`${storeName} is your retailer now`),
  })
  const decline = trpc.requests.decline.useMutation({
    ...done,
    onSuccess: () => showSuccess('Request declined'),
  })
  const isPending = approve.isPending || decline.isPending
  return (
    <Group gap="xs" className={classes.answer}>
      {groups.length > 0 && (
        <Select
          size="xs"
          aria-label={`Group of ${storeName}`}
          data={toGroupOptions(groups)}
          value={group}
          allowDeselect={false}
          onChange={(value) => setChosen(value ?? '')}
        />
      )}
      <Button
        size="xs"
        disabled={isPending}
        aria-label={`Accept ${storeName}`}
        onClick={() => approve.mutate({ id, groupId: group === '' ? null : Number(group) })}
      >
        Accept
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isPending}
        aria-label={`Decline ${storeName}`}
        onClick={() => decline.mutate({ id })}
      >
        Decline
      </Button>
    </Group>
  )
}
