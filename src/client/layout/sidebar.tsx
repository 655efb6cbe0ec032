import { VisuallyHidden } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'

import { formatCount, pluralize } from '../../shared/format'
import { Logo } from '../components/layout/logo'
import { useOpenRequests } from '../live/open-requests'
import { useSignedInUser } from '../session/current-user'
import { useAppName } from '../session/page-title'
import { homePath } from '../session/role-paths'
import { useLogout } from '../session/use-logout'
import { useNavItems, type NavItem } from './nav-items'

import classes from './sidebar.module.css'

/** The menu for the user's role. `onNavigate` closes the drawer on narrow screens. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const user = useSignedInUser()
  const appName = useAppName()
  const logout = useLogout()
  const items = useNavItems()
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <div className={classes.sidebar}>
      <Link to={homePath(user.role)} className={classes.brand} onClick={onNavigate}>
        <Logo size={26} />
        <span>{appName}</span>
      </Link>
      <nav aria-label="Main" className={classes.nav}>
        {items.map(({ label, to, icon: NavGlyph, isExact, ...item }) => (
          <Link
            key={label}
            to={to}
            className={classes.link}
            activeOptions={{ exact: isExact ?? false, includeSearch: false }}
            {...(isWithin(path, item) && { 'data-status': 'active', 'aria-current': 'page' })}
            onClick={onNavigate}
          >
            <NavGlyph size={18} stroke={1.75} aria-hidden="true" />
            {label}
            {to === '/supplier/retailers' && <OpenRequests />}
          </Link>
        ))}
      </nav>
      <button
        type="button"
        className={classes.link}
        disabled={logout.isPending}
        onClick={() => logout.mutate()}
      >
        <IconLogout size={18} stroke={1.75} aria-hidden="true" />
        Logout
      </button>
    </div>
  )
}

/** How many retailers wait for an answer to their request. */
function OpenRequests() {
  const count = useOpenRequests()
  if (count === 0) return null
  return (
    <span className={classes.count}>
      {formatCount(count)}
      <VisuallyHidden> {pluralize(count, 'request')}</VisuallyHidden>
    </span>
  )
}

const isWithin = (path: string, { alias, subpaths }: Pick<NavItem, 'alias' | 'subpaths'>) =>
  path === alias || (subpaths !== undefined && path.startsWith(subpaths))
