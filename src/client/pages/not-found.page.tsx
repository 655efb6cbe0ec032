import { useContext } from 'react'

import { FullPageMessage } from '../components/full-page-message'
import { ButtonLink } from '../components/links'
import { Logo } from '../components/logo'
import { SignedInUserContext } from '../session/current-user'
import { usePageTitle } from '../session/page-title'

export function NotFoundPage() {
  usePageTitle('404 Page Not Found')
  // The shell has the page's landmark already.
  const Landmark = useContext(SignedInUserContext) ? 'div' : 'main'
  return (
    <Landmark>
      <FullPageMessage
        emblem={<Logo size={30} />}
        title="404 Page Not Found"
        actions={
          <ButtonLink to="/" variant="default">
            Go to the start page
          </ButtonLink>
        }
      >
        Did you forget to add the page to the router?
      </FullPageMessage>
    </Landmark>
  )
}
