import { Button, Group, Stack, Text } from '@mantine/core'

import type { DirectoryPage } from '../../../shared/schemas/directory'
import { Panel } from '../../components/layout/panel'
import { formatDate } from '../../lib/time-format'
import { useMay } from '../../session/may'
import { useWithdraw } from './use-withdraw'

/** Requests to suppliers who do not show themselves any more: they can still be accepted, and so withdrawn. */
export function HiddenRequests({ requests }: { requests: DirectoryPage['hiddenRequests'] }) {
  const mayAsk = useMay('company')
  const withdraw = useWithdraw()
  return (
    <Panel title="Waiting requests to suppliers who are not listed any more">
      <Stack gap="sm">
        {requests.map(({ card, askedAt }) => (
          <Group key={card} justify="space-between" gap="sm">
            <Text fz="sm">Asked on {formatDate(askedAt)}</Text>
            {mayAsk && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Withdraw the request of ${formatDate(askedAt)}`}
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate({ card })}
              >
                Withdraw
              </Button>
            )}
          </Group>
        ))}
      </Stack>
    </Panel>
  )
}
