import { Columns } from '../components/layout/columns'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { AnswerList } from '../features/help/answer-list'
import { VersionLine } from '../features/help/version-line'
import { WhatsNew } from '../features/help/whats-new'
import { useSignedInUser } from '../session/current-user'
import { usePageTitle } from '../session/page-title'

/** Short answers for the user's role, what is new, and which version this is. */
export function HelpPage() {
  usePageTitle('Help')
  const { role } = useSignedInUser()
  return (
    <>
      <PageHeader title="Help" subtitle={<VersionLine />} />
      <Columns>
        <Panel title="Questions">
          <AnswerList role={role} />
        </Panel>
        <WhatsNew />
      </Columns>
    </>
  )
}
