import { Button, Group, Select, Stack, Text } from '@mantine/core'

import { GROUP_SETTINGS, type GroupSetting } from '../../../shared/constants'
import type { Membership } from '../../../shared/schemas/group'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { StatusBadge } from '../../components/feedback/status-badge'
import { TextLink } from '../../components/layout/links'
import { Panel } from '../../components/layout/panel'
import { toGroupOptions } from '../../lib/group-options'
import { showFailure, showSuccess } from '../../lib/toast'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'

import classes from './group-card.module.css'

const LABELS: Record<GroupSetting, string> = {
  visibilitySettings: 'Products',
  syncFrequency: 'Sync Frequency',
  profile: 'Format of its file',
  priceRules: 'Prices',
}

/** The group of a retailer, and which settings it has of its own. */
export function GroupCard({ retailerId }: { retailerId: number }) {
  const query = trpc.groups.ofRetailer.useQuery({ id: retailerId })
  return (
    <Panel title="Group" description="Settings that it shares with other retailers">
      {query.data ? (
        <Membership membership={query.data} />
      ) : query.isError ? (
        <LoadError isCompact title="The group could not be loaded" query={query} />
      ) : (
        <LoadingBlock height={62} label="Loading the group" />
      )}
    </Panel>
  )
}

function useChanges(retailerId: number) {
  const utils = trpc.useUtils()
  const refresh = () => {
    void utils.groups.invalidate()
    void utils.retailers.invalidate()
    void utils.profiles.invalidate()
  }
  const assign = trpc.groups.assign.useMutation({
    onSuccess: () => {
      showSuccess('Group saved')
      refresh()
    },
    onError: (error) => showFailure(error),
  })
  const follow = trpc.groups.follow.useMutation({
    onSuccess: (saved) => {
      utils.groups.ofRetailer.setData({ id: retailerId }, saved)
      showSuccess('As in the group')
      refresh()
    },
    onError: (error) => showFailure(error),
  })
  return { assign, follow }
}

function Membership({ membership }: { membership: Membership }) {
  const { retailerId, groupId, own } = membership
  const groups = trpc.groups.list.useQuery()
  const mayManage = useMay('manage')
  const { assign, follow } = useChanges(retailerId)
  if (groups.data?.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        You have no groups yet. <TextLink to="/supplier/groups">Add one</TextLink>
      </Text>
    )
  }
  return (
    <Stack gap="md">
      <Select
        label="Group"
        description="A retailer has all settings of its group from when it comes into it"
        data={toGroupOptions(groups.data ?? [])}
        value={groupId === null ? '' : String(groupId)}
        allowDeselect={false}
        disabled={!mayManage || !groups.data || assign.isPending}
        onChange={(value) =>
          assign.mutate({ ids: [retailerId], groupId: value ? Number(value) : null })
        }
      />
      {groupId !== null && (
        <ul className={classes.settings} aria-label="Settings and the group">
          {GROUP_SETTINGS.map((setting) => (
            <li key={setting} className={classes.setting}>
              <span>{LABELS[setting]}</span>
              {own.includes(setting) ? (
                <Group gap="xs">
                  <StatusBadge tone="warn">Its own</StatusBadge>
                  {mayManage && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      disabled={follow.isPending}
                      aria-label={`${LABELS[setting]}: as in the group`}
                      onClick={() => follow.mutate({ id: retailerId, settings: [setting] })}
                    >
                      As in the group
                    </Button>
                  )}
                </Group>
              ) : (
                <Text span c="dimmed" fz="sm">
                  As in the group
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  )
}
