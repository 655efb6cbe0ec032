import { Button, Divider, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ComponentProps } from 'react'

import type { Role } from '../../shared/constants'
import { lazyPart } from '../components/feedback/lazy-part'
import { LoadError } from '../components/feedback/message-state'
import { PageSpinner } from '../components/feedback/page-spinner'
import { Columns } from '../components/layout/columns'
import { ButtonLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { SettingLine } from '../components/layout/setting-line'
import { PasskeysLine } from '../features/passkeys/passkeys-line'
import { YourDataPanel } from '../features/personal-data/your-data-panel'
import { StoreInformationCard } from '../features/retailers/store-information-card'
import { SecondFactorLine } from '../features/second-factor/second-factor-line'
import { CompanyProfileForm } from '../features/suppliers/company-profile-form'
import { useSignedInUser } from '../session/current-user'
import { ChangePasswordDialog } from '../session/lazy-dialogs'
import { usePageTitle } from '../session/page-title'
import { useOwnRetailer } from '../session/relation'
import { trpc } from '../trpc'

/** For administrators only. */
const SignInRulesForm = lazyPart(
  async () => (await import('../features/sign-in-rules/sign-in-rules-form')).SignInRulesForm,
  { name: 'sign-in rules', height: 420 },
)

const SUBTITLES: Record<Role, string> = {
  SUPER_ADMIN: 'How everybody signs in, and your password',
  SUPPLIER: 'What your retailers see of your company, and your password',
  RETAILER: 'Your store and your password',
}

/** Settings of the signed-in user. */
export function SettingsPage() {
  usePageTitle('Settings')
  const { role } = useSignedInUser()
  return (
    <>
      <PageHeader
        title="Settings"
        subtitle={SUBTITLES[role]}
        actions={
          role === 'SUPPLIER' && (
            <ButtonLink to="/supplier/card" variant="default">
              Card in the directory
            </ButtonLink>
          )
        }
      />
      <Columns>
        {role === 'RETAILER' && <OwnStore />}
        {role === 'SUPPLIER' && <OwnCompany />}
        {role === 'SUPER_ADMIN' && <Rules />}
        <Stack gap={20}>
          <Security />
          <YourDataPanel />
        </Stack>
      </Columns>
    </>
  )
}

function OwnStore() {
  const own = useOwnRetailer()
  if (own.isSuccess) return <StoreInformationCard key={own.data?.id} retailer={own.data} />
  return <NotYet query={own} failure="Your store could not be loaded" />
}

function OwnCompany() {
  const profile = trpc.suppliers.profile.useQuery()
  if (profile.isSuccess) return <CompanyProfileForm profile={profile.data} />
  return <NotYet query={profile} failure="Your company profile could not be loaded" />
}

function Rules() {
  const rules = trpc.signInRules.get.useQuery()
  if (rules.isSuccess) return <SignInRulesForm rules={rules.data} />
  return <NotYet query={rules} failure="The sign-in rules could not be loaded" />
}

interface NotYetProps {
  query: ComponentProps<typeof LoadError>['query'] & { isError: boolean }
  failure: string
}

/** In the place of what is loading, or could not be loaded. */
function NotYet({ query, failure }: NotYetProps) {
  if (!query.isError) return <PageSpinner />
  return (
    <Panel>
      <LoadError isCompact title={failure} query={query} />
    </Panel>
  )
}

function Security() {
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <>
      <Panel title="Security">
        <Stack gap="md">
          <SettingLine title="Password" note="Changing it signs you out everywhere else.">
            <Button variant="default" onClick={dialog.open}>
              Change Password
            </Button>
          </SettingLine>
          <Divider />
          <SecondFactorLine />
          <Divider />
          <PasskeysLine />
          <Divider />
          <SettingLine title="Sessions" note="Where you are signed in, and how to end that.">
            <ButtonLink to="/sessions" variant="default">
              Show
            </ButtonLink>
          </SettingLine>
        </Stack>
      </Panel>
      <ChangePasswordDialog isOpen={isOpen} onClose={dialog.close} />
    </>
  )
}
