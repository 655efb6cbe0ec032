import { ActionIcon, Button, Input, NumberInput, Switch, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconX } from '@tabler/icons-react'

import { MAX_PRICE_TIERS } from '../../../shared/merged-files'
import { NEW_TIER, type MergedValues } from './merged-values'

import classes from './merged-file.module.css'

type MergedForm = UseFormReturnType<MergedValues>

/** How prices are made of costs, or that they stay as they are. */
export function PriceFields({ form, isFixed }: { form: MergedForm; isFixed: boolean }) {
  const { priceRules } = form.values.rules
  return (
    <>
      <Switch
        label="Make prices of costs"
        description="Otherwise prices stay as your suppliers give them. An item without a cost has no price then, which you are told."
        checked={priceRules !== null}
        onChange={({ currentTarget }) =>
          form.setFieldValue(
            'rules.priceRules',
            currentTarget.checked ? { tiers: [NEW_TIER], ending: null } : null,
          )
        }
      />
      {priceRules && (
        <>
          <Tiers form={form} tiers={priceRules.tiers} isFixed={isFixed} />
          <NumberInput
            className={classes.short}
            label="Round up to these cents"
            description="99: 13.50 becomes 13.99. Empty: to the cent."
            min={0}
            max={99}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('rules.priceRules.ending')}
            value={priceRules.ending ?? ''}
            onChange={(value) =>
              form.setFieldValue('rules.priceRules.ending', value === '' ? null : Number(value))
            }
          />
          <Text fz="sm" c="dimmed">
            25 % and 1.00 on a cost of 10.00 make 13.50. A price is never below its cost.
          </Text>
        </>
      )}
    </>
  )
}

interface TiersProps {
  form: MergedForm
  tiers: readonly (typeof NEW_TIER)[]
  isFixed: boolean
}

function Tiers({ form, tiers, isFixed }: TiersProps) {
  const path = 'rules.priceRules.tiers'
  return (
    <Input.Wrapper
      label="What is added"
      labelElement="div"
      description="By cost: each line is for costs from its amount on."
      error={form.errors[path]}
    >
      <div className={classes.tiers}>
        {tiers.map((_, place) => {
          const field = (name: string, label: string) => (
            <TextInput
              label={label}
              inputMode="decimal"
              autoComplete="off"
              disabled={place === 0 && name === 'from' && tiers[0]?.from === '0'}
              {...form.getInputProps(`${path}.${place}.${name}`)}
            />
          )
          return (
            // oxlint-disable-next-line react/no-array-index-key -- two may be alike while they are typed
            <fieldset key={place} aria-label={`Tier ${place + 1}`} className={classes.tier}>
              {field('from', 'Costs from')}
              {field('percent', 'Percent')}
              {field('fixed', 'Plus amount')}
              {!isFixed && (
                <ActionIcon
                  variant="default"
                  size="input-sm"
                  aria-label={`Remove tier ${place + 1}`}
                  disabled={tiers.length === 1 || place === 0}
                  onClick={() => form.setFieldValue(path, tiers.toSpliced(place, 1))}
                >
                  <IconX size={16} aria-hidden="true" />
                </ActionIcon>
              )}
            </fieldset>
          )
        })}
      </div>
      {!isFixed && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          disabled={tiers.length >= MAX_PRICE_TIERS}
          onClick={() => form.setFieldValue(path, [...tiers, { ...NEW_TIER, from: '' }])}
        >
          Add a tier
        </Button>
      )}
    </Input.Wrapper>
  )
}
