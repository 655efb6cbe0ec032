import { Button, Input, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'

import { MAX_PARTS } from '../../../shared/merged-files'
import { PlaceButtons } from '../../components/form/place-buttons'
import { addPart, nameOf, type MergedValues, type PartValues, type Relation } from './merged-values'

import classes from './merged-file.module.css'

interface SuppliersFieldProps {
  form: UseFormReturnType<MergedValues>
  relations: readonly Relation[]
  /** Whoever only looks can move none. */
  isFixed?: boolean
}

/** The suppliers of a merged file, the preferred one first. */
export function SuppliersField({ form, relations, isFixed = false }: SuppliersFieldProps) {
  const { parts } = form.values
  const change = (changed: PartValues[]) => form.setFieldValue('parts', changed)
  const move = (place: number, to: number) => {
    const part = parts[place]
    if (part) change(parts.toSpliced(place, 1).toSpliced(to, 0, part))
  }
  const others = relations.filter(
    ({ retailerId }) => !parts.some((part) => part.retailerId === retailerId),
  )
  const supplierOf = (part: PartValues) =>
    relations.find(({ retailerId }) => retailerId === part.retailerId)
  return (
    <Input.Wrapper
      label="Suppliers, the preferred one first"
      labelElement="div"
      description="Texts and other columns of an item that several have are those of the first of them. The prefix stands before SKUs that match nothing, so that two suppliers’ SKUs stay apart."
      error={form.errors['parts']}
    >
      <ol className={classes.parts}>
        {parts.map((part, place) => {
          const relation = supplierOf(part)
          const name = relation ? nameOf(relation) : 'A supplier that has left'
          return (
            <li key={part.retailerId} className={classes.part}>
              <span className={classes.place} aria-hidden="true">
                {place + 1}
              </span>
              <bdi className={classes.supplier}>{name}</bdi>
              <TextInput
                className={classes.prefix}
                aria-label={`Prefix of ${name}`}
                placeholder="Prefix"
                autoComplete="off"
                {...form.getInputProps(`parts.${place}.prefix`)}
              />
              {!isFixed && (
                <PlaceButtons
                  name={name}
                  isFirst={place === 0}
                  isLast={place === parts.length - 1}
                  onMove={(by) => move(place, place + by)}
                  onLeaveOut={() => change(parts.toSpliced(place, 1))}
                />
              )}
            </li>
          )
        })}
      </ol>
      {!isFixed && others.length === 1 && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => change(addPart(parts, others[0]!))}
        >
          Add {nameOf(others[0]!)}
        </Button>
      )}
      {!isFixed && others.length > 1 && (
        <Select
          aria-label="Add a supplier"
          placeholder="Add a supplier"
          searchable
          nothingFoundMessage="Nothing found"
          disabled={parts.length >= MAX_PARTS}
          data={others.map((relation) => ({
            value: String(relation.retailerId),
            label: nameOf(relation),
          }))}
          value={null}
          onChange={(id) => {
            const chosen = others.find(({ retailerId }) => String(retailerId) === id)
            if (chosen) change(addPart(parts, chosen))
          }}
        />
      )}
    </Input.Wrapper>
  )
}
