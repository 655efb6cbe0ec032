import { IconLock } from '@tabler/icons-react'

import { FullPageMessage } from '../components/feedback/full-page-message'
import { ButtonLink } from '../components/layout/links'
import { useSignedInUser } from '../session/current-user'
import { usePageTitle } from '../session/page-title'
import { homePath } from '../session/role-paths'

/** Shown in place of a page that the user's role may not see. */
export function ForbiddenPage() {
  const user = useSignedInUser()
  usePageTitle('No access')
  return (
    <FullPageMessage
      emblem={<IconLock size={24} stroke={1.5} />}
      title="You cannot open this page"
      actions={
        <ButtonLink to={homePath(user.role)} variant="default">
          Go to your dashboard
        </ButtonLink>
      }
    >
      You are signed in as {user.username}, and your role has no access to it.
    </FullPageMessage>
  )
}
