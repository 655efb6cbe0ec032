import { IconLock } from '@tabler/icons-react'

import { FullPageMessage } from '../components/full-page-message'
import { ButtonLink } from '../components/links'
import { useSignedInUser } from '../session/current-user'
import { usePageTitle } from '../session/page-title'
import { homePath } from '../session/role-paths'

/** A page of another role. */
export function ForbiddenPage() {
  const user = useSignedInUser()
  usePageTitle('No access')
  return (
    <FullPageMessage
      emblem={<IconLock size={24} stroke={1.5} />}
      title="This page is not for your account"
      actions={
        <ButtonLink to={homePath(user.role)} variant="default">
          Go to your dashboard
        </ButtonLink>
      }
    >
      You are signed in as {user.username}, whose role may not see it.
    </FullPageMessage>
  )
}
