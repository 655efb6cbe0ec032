import { FullPageMessage } from '../components/feedback/full-page-message'
import { ButtonLink } from '../components/layout/links'
import { Logo } from '../components/layout/logo'
import { PageLandmark } from '../session/page-landmark'
import { usePageTitle } from '../session/page-title'

export function NotFoundPage() {
  usePageTitle('404 Page Not Found')
  return (
    <PageLandmark>
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
    </PageLandmark>
  )
}
