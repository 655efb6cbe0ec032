import { ActionIcon, Button, Input, NumberInput, Switch, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { MAX_PRICE_TIERS } from '../../../shared/merged-files'
import type { PriceRules } from '../../../shared/schemas/price-rules'
import { describeExample } from '../../lib/price-example'

import classes from './price-rules-fields.module.css'

const NEW_TIER = { from: '0', percent: '0', fixed: '0' }
const NEW_RULES: PriceRules = { tiers: [NEW_TIER], ending: null }

/** What is used of a form. */
interface RulesForm {
  getInputProps: (path: string) => object
  setFieldValue: (path: string, value: unknown) => void
  errors: Record<string, ReactNode>
}

interface PriceRulesFieldsProps {
  form: RulesForm
  /** Where the rules are in the form. */
  path: string
  /** null: prices stay as they are. */
  rules: PriceRules | null
  /** What happens to prices otherwise. */
  description: string
  /** What the further options are at first. */
  options?: object
  /** Whether nothing can be changed. */
  isFixed?: boolean
  /** Further options of the rules. */
  children?: ReactNode
}

/** How prices are made of costs, or that they stay as they are. */
export function PriceRulesFields({ rules, children, ...props }: PriceRulesFieldsProps) {
  const { form, path } = props
  return (
    <>
      <Switch
        label="Make prices of costs"
        description={props.description}
        {...form.getInputProps(path)}
        value="on"
        checked={rules !== null}
        onChange={({ currentTarget }) =>
          form.setFieldValue(
            path,
            currentTarget.checked ? { ...NEW_RULES, ...props.options } : null,
          )
        }
      />
      {rules && (
        <>
          <Tiers
            form={form}
            path={`${path}.tiers`}
            tiers={rules.tiers}
            isFixed={props.isFixed === true}
          />
          <NumberInput
            className={classes.short}
            label="Round up to these cents"
            description="99: 13.50 becomes 13.99. Empty: to the cent."
            min={0}
            max={99}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps(`${path}.ending`)}
            value={rules.ending ?? ''}
            onChange={(value) =>
              form.setFieldValue(`${path}.ending`, value === '' ? null : Number(value))
            }
          />
          {children}
          <Text component="output" fz="sm" c="dimmed">
            {describeExample(rules)} A price is never below its cost.
          </Text>
        </>
      )}
    </>
  )
}

interface TiersProps {
  form: RulesForm
  path: string
  tiers: PriceRules['tiers']
  isFixed: boolean
}

function Tiers({ form, path, tiers, isFixed }: TiersProps) {
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
