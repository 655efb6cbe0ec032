import { Divider, NumberInput, Stack, Switch } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

import {
  DEFAULT_GRACE_DAYS,
  MAX_GRACE_DAYS,
  MAX_PASSWORD_MIN_LENGTH,
  PASSWORD_MIN_LENGTH,
  ROLES,
  type Role,
} from '../../../shared/constants'
import { formatCount } from '../../../shared/format'
import type {
  ChangeSignInRulesInput,
  FactorRequirement,
  SignInRules,
} from '../../../shared/schemas/sign-in-rules'
import { PageForm } from '../../components/form/page-form'
import { Panel } from '../../components/layout/panel'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { formatDate } from '../../lib/time-format'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { trpc } from '../../trpc'

import classes from './sign-in-rules.module.css'

const LABELS: Record<Role, string> = {
  SUPER_ADMIN: 'Administrators',
  SUPPLIER: 'Suppliers',
  RETAILER: 'Retailers',
}

function toFormValues({ requirements, ...rules }: SignInRules): ChangeSignInRulesInput {
  const daysOf = (role: Role) => requirements.find((one) => one.role === role)?.graceDays ?? null
  const graceDays = Object.fromEntries(ROLES.map((role) => [role, daysOf(role)]))
  return { graceDays: graceDays as ChangeSignInRulesInput['graceDays'], ...rules }
}

/** What an administrator asks of all who sign in to this installation. */
export function SignInRulesForm({ rules }: { rules: SignInRules }) {
  const utils = trpc.useUtils()
  const form = useSavedForm(toFormValues(rules), {
    validate: lazySchemaResolver(
      async () => (await import('../../../shared/schemas/sign-in-rules')).changeSignInRulesInput,
    ),
  })
  const change = trpc.signInRules.change.useMutation({
    onSuccess: (_, saved) => {
      showSuccess('Sign-in rules saved')
      markSaved(form, saved)
      void utils.signInRules.get.invalidate()
      void utils.app.info.invalidate()
      void utils.secondFactor.get.invalidate()
      // It may be asked of whoever has just required it.
      void utils.session.current.invalidate()
    },
    onError: (error) => showFailure(error, 'The sign-in rules could not be saved'),
  })
  useFieldErrors(form, change.error)
  return (
    <Panel title="Sign-in rules" description="For everybody who signs in to this installation">
      <PageForm
        form={form}
        label="Sign-in rules"
        hasSaveAlways
        isPending={change.isPending}
        onSubmit={(values) => change.mutate(values)}
      >
        <Stack gap="md">
          {rules.requirements.map((requirement) => (
            <RoleFields key={requirement.role} form={form} requirement={requirement} />
          ))}
        </Stack>
        <Divider />
        <NumberInput
          label="Minimum length of new passwords"
          description={`From ${PASSWORD_MIN_LENGTH} to ${MAX_PASSWORD_MIN_LENGTH} characters. Passwords of today stay as they are.`}
          suffix=" characters"
          min={PASSWORD_MIN_LENGTH}
          max={MAX_PASSWORD_MIN_LENGTH}
          clampBehavior="blur"
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('passwordMinLength')}
        />
        <Switch
          label="Refuse the most common passwords"
          description="And those that are little more than a name of the person, the company or the product. Passwords of today stay as they are."
          {...form.getInputProps('isCommonRefused', { type: 'checkbox' })}
        />
      </PageForm>
    </Panel>
  )
}

interface RoleFieldsProps {
  form: UseFormReturnType<ChangeSignInRulesInput>
  requirement: FactorRequirement
}

function RoleFields({ form, requirement }: RoleFieldsProps) {
  const { role } = requirement
  const days = form.values.graceDays[role]
  const path = `graceDays.${role}`
  const { onChange: _, ...props } = form.getInputProps(path)
  return (
    <div>
      <Switch
        label={`${LABELS[role]} need a second factor`}
        description={describe(requirement)}
        checked={days !== null}
        onChange={({ currentTarget }) =>
          form.setFieldValue(path, currentTarget.checked ? DEFAULT_GRACE_DAYS : null)
        }
      />
      {days !== null && (
        <NumberInput
          {...props}
          className={classes.days}
          aria-label={`Days that ${LABELS[role].toLowerCase()} can do without`}
          description="How long they can do without"
          suffix={days === 1 ? ' day' : ' days'}
          min={0}
          max={MAX_GRACE_DAYS}
          clampBehavior="blur"
          allowDecimal={false}
          allowNegative={false}
          value={days}
          onChange={(value) => form.setFieldValue(path, Number(value))}
        />
      )}
    </div>
  )
}

/** Whom it meets. */
function describe({ people, peopleWithout, since }: FactorRequirement): string {
  const required = since === null ? '' : `Required since ${formatDate(since)}. `
  if (people === 0) return `${required}There are none yet.`
  if (peopleWithout === 0) return `${required}All of them have one.`
  if (peopleWithout < people) {
    return `${required}${formatCount(peopleWithout)} of ${formatCount(people)} people have none yet.`
  }
  return `${required}${people === 1 ? 'The only one has none' : `None of the ${formatCount(people)} has one`} yet.`
}
