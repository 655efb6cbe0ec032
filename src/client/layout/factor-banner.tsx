import { IconShieldLock } from '@tabler/icons-react'

import { SETTINGS_PATHS } from '../../shared/page-paths'
import type { CurrentUser } from '../../shared/schemas/user'
import { ButtonLink } from '../components/layout/links'
import { formatDate } from '../lib/time-format'

import classes from './banner.module.css'

/** Says by when a second factor has to be turned on, and leads to where that is done. */
export function FactorBanner({ user, by }: { user: CurrentUser; by: string }) {
  return (
    <output className={classes.banner}>
      <IconShieldLock size={17} stroke={1.75} aria-hidden="true" className={classes.icon} />
      <span className={classes.text}>
        Your administrator asks for a second factor by{' '}
        <strong>
          <time dateTime={by}>{formatDate(by)}</time>
        </strong>
      </span>
      <ButtonLink to={SETTINGS_PATHS[user.role]} size="compact-sm" variant="default">
        Turn it on
      </ButtonLink>
    </output>
  )
}
