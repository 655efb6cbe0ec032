import { IconCalendarX } from '@tabler/icons-react'

import type { CurrentUser } from '../../shared/schemas/user'
import { PendingButton } from '../components/feedback/pending-button'
import { useKeepAccount } from '../features/personal-data/use-keep-account'
import { formatDate } from '../lib/time-format'

import classes from './banner.module.css'

/** Says that the company is to be deleted and when; its owners can keep it. */
export function DeletionBanner({ user, at }: { user: CurrentUser; at: string }) {
  const keep = useKeepAccount()
  const mayKeep = !user.viewedUntil && (user.member?.role ?? 'OWNER') === 'OWNER'
  return (
    <output className={classes.banner} data-tone="warn">
      <IconCalendarX size={17} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <span className={classes.text}>
        This account is to be deleted on{' '}
        <strong>
          <time dateTime={at}>{formatDate(at)}</time>
        </strong>
        {!mayKeep && !user.viewedUntil && '. An owner can keep it until then.'}
      </span>
      {mayKeep && (
        <PendingButton
          size="compact-sm"
          variant="default"
          isPending={keep.isPending}
          onClick={() => keep.mutate({})}
        >
          Keep the account
        </PendingButton>
      )}
    </output>
  )
}
