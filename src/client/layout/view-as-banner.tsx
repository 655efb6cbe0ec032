import { IconEye } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'

import type { CurrentUser } from '../../shared/schemas/user'
import { PendingButton } from '../components/feedback/pending-button'
import { MEMBER_ROLE_LABELS } from '../lib/member-roles'
import { formatClockTime } from '../lib/time-format'
import { useFollowIdentity, useStopViewAs } from '../session/use-view-as'

import classes from './banner.module.css'

/** Says that an administrator sees the product as this user, and until when. */
export function ViewAsBanner({ user, until }: { user: CurrentUser; until: string }) {
  const stop = useStopViewAs()
  const follow = useFollowIdentity()
  const onEnd = useEffectEvent(() => void follow())
  const endsAt = Date.parse(until)
  useEffect(() => {
    const timer = setTimeout(onEnd, Math.max(0, endsAt - Date.now()))
    return () => clearTimeout(timer)
  }, [endsAt])
  return (
    <output className={classes.banner}>
      <IconEye size={17} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <span className={classes.text}>
        Viewing as{' '}
        <strong>
          <bdi>{user.companyName ?? user.username}</bdi>
        </strong>{' '}
        {user.member && (
          <>
            · <bdi>{user.username}</bdi>, {MEMBER_ROLE_LABELS[user.member.role].toLowerCase()}{' '}
          </>
        )}
        · read-only · until {formatClockTime(endsAt)}
      </span>
      <PendingButton
        size="compact-sm"
        variant="default"
        isPending={stop.isPending}
        onClick={() => stop.mutate()}
      >
        Stop
      </PendingButton>
    </output>
  )
}
