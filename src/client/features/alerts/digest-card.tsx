import { NativeSelect, NumberInput, Select, Switch, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'

import { MAX_PRICE_PERCENT } from '../../../shared/digests'
import type { AlertChoices } from '../../../shared/schemas/alert'
import type { DigestChoice } from '../../../shared/schemas/digest'
import { PendingButton } from '../../components/feedback/pending-button'
import { ValidatedForm } from '../../components/form/validated-form'
import { Panel } from '../../components/layout/panel'
import { lazySchemaResolver } from '../../lib/lazy-schema-resolver'
import { listTimeZones, ownTimeZone } from '../../lib/time-zones'
import { showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { trpc } from '../../trpc'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** How often the user gets a mail of what has changed in the items, and of what. */
export function DigestCard({ digest, mail }: { digest: DigestChoice; mail: AlertChoices['mail'] }) {
  return (
    <Panel
      title="What has changed in the items"
      description="One mail with new, gone and sold out items, and changed prices, only if there are any"
    >
      {mail.address === null && digest.period === null ? (
        <Text c="dimmed" fz="sm">
          Add an e-mail address and confirm it first.
        </Text>
      ) : (
        <DigestForm digest={digest} />
      )}
    </Panel>
  )
}

const NEVER = 'never'
const DEFAULT_PERCENT = 5

type Values = Pick<DigestChoice, 'timeZone' | 'pricePercent'> &
  Record<'period' | 'weekday' | 'categories', string>

const toValues = ({
  period,
  weekday,
  timeZone,
  pricePercent,
  categories,
}: DigestChoice): Values => ({
  pricePercent,
  categories: categories.join('\n'),
  period: period ?? NEVER,
  weekday: String(weekday),
  timeZone: period === null && timeZone === 'UTC' ? ownTimeZone() : timeZone,
})

const toChoice = ({ period, weekday, categories, ...others }: Values): DigestChoice => ({
  ...others,
  period: period === 'daily' || period === 'weekly' ? period : null,
  weekday: Number(weekday),
  categories: categories.split('\n').filter((name) => name.trim() !== ''),
})

function DigestForm({ digest }: { digest: DigestChoice }) {
  const { alerts } = trpc.useUtils()
  const form = useForm<Values>({
    initialValues: toValues(digest),
    validate: (values) => validate(toChoice(values)),
  })
  const save = trpc.alerts.chooseDigest.useMutation({
    onSuccess: async ({ message }) => {
      form.resetDirty()
      await alerts.choices.invalidate()
      showSuccess(message)
    },
    onError: (error) => showFailure(error, 'Your choice could not be saved'),
  })
  useFieldErrors(form, save.error)
  const { period, pricePercent, timeZone } = form.values
  return (
    <ValidatedForm
      form={form}
      label="What has changed in the items"
      onSubmit={(values) => save.mutate(toChoice(values))}
    >
      <NativeSelect
        label="How often"
        data={[
          { value: NEVER, label: 'Never' },
          { value: 'daily', label: 'Each day at 07:00' },
          { value: 'weekly', label: 'Once a week at 07:00' },
        ]}
        {...form.getInputProps('period')}
      />
      {period !== NEVER && (
        <>
          {period === 'weekly' && (
            <NativeSelect
              label="Day"
              data={WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }))}
              {...form.getInputProps('weekday')}
            />
          )}
          <Select
            label="Time zone"
            searchable
            limit={60}
            allowDeselect={false}
            nothingFoundMessage="None is called so"
            data={listTimeZones(timeZone)}
            {...form.getInputProps('timeZone')}
          />
          <Switch
            label="Changed prices"
            checked={pricePercent !== null}
            onChange={(event) =>
              form.setFieldValue(
                'pricePercent',
                event.currentTarget.checked ? DEFAULT_PERCENT : null,
              )
            }
          />
          {pricePercent !== null && (
            <NumberInput
              label="From a change of"
              suffix=" %"
              min={1}
              max={MAX_PRICE_PERCENT}
              allowDecimal={false}
              {...form.getInputProps('pricePercent')}
            />
          )}
          <Textarea
            label="Only these categories"
            description="One a line; without any, all count"
            rows={2}
            {...form.getInputProps('categories')}
          />
        </>
      )}
      <div>
        <PendingButton type="submit" variant="default" isPending={save.isPending}>
          Save
        </PendingButton>
      </div>
    </ValidatedForm>
  )
}

const validate = lazySchemaResolver(
  async () => (await import('../../../shared/schemas/digest')).digestChoiceSchema,
)
