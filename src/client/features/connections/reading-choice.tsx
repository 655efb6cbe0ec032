import { Accordion } from '@mantine/core'
import { useState } from 'react'

import { foldName } from '../../../shared/categories'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { TableParts } from '../../../shared/schemas/connection'
import type { CategoryReading } from '../../../shared/schemas/file'
import type { SourceReading } from '../../../shared/schemas/source-reading'
import type { DocumentForm, TableForm } from '../../../shared/table-forms'
import { CategoryColumn, CategorySeparators } from './category-choice'
import { CategoryExamples } from './category-examples'
import { ReadingFields } from './reading-fields'
import { describeChoices, isAutomatic } from './reading-labels'

import classes from './reading-choice.module.css'

/** How a file is read, as far as the supplier decides it. */
export interface Choices {
  reading: SourceReading
  /** null: the category column is detected. */
  categoryReading: CategoryReading | null
  columnRoles: ColumnRoles
}

interface ReadingChoiceProps {
  choices: Choices
  onChange: (choices: Choices) => void
  /** What a sync would find; undefined before the file was read. */
  found?: Found | undefined
  /** The document that could not be read as it is chosen, if it is one. */
  unreadable?: DocumentForm | undefined
  /** Whether something in the file asks for a decision: the block is open then. */
  isSuspicious?: boolean
}

export interface Found {
  reading: SourceReading
  parts: TableParts
  /** What the table came as; undefined for a plain CSV file. */
  form: TableForm | undefined
  categoryReading: CategoryReading | null
  columns: string[]
  /** Cells of the detected category column. */
  categoryExamples: string[]
}

/** The choices of how a file is read, folded as long as all are automatic. */
export function ReadingChoice({
  choices,
  onChange,
  found,
  unreadable,
  isSuspicious,
}: ReadingChoiceProps) {
  const [isToggledOpen, setToggledOpen] = useState<boolean>()
  const isOpen = isToggledOpen ?? (isSuspicious || !isAutomatic(choices.reading))
  const change = (changes: Partial<Choices>) => {
    // Otherwise the block would fold when the last choice is taken back.
    setToggledOpen(true)
    onChange({ ...choices, ...changes })
  }
  const category = {
    detected: found?.categoryReading ?? null,
    chosen: choices.categoryReading,
    onChoose: (categoryReading: CategoryReading | null) => change({ categoryReading }),
  }
  const shown = readingOfExamples(choices.categoryReading, category.detected)
  const hasCategories = found !== undefined || choices.categoryReading !== null
  return (
    <Accordion
      variant="contained"
      classNames={classes}
      value={isOpen ? READING : null}
      onChange={(value) => setToggledOpen(value === READING)}
    >
      <Accordion.Item value={READING}>
        <Accordion.Control>
          <span className={classes.title}>How this file is read</span>
          <span className={classes.summary}>{summarize(choices.reading, isSuspicious)}</span>
        </Accordion.Control>
        <Accordion.Panel>
          <div className={classes.fields}>
            <ReadingFields
              reading={choices.reading}
              found={found?.reading}
              parts={found?.parts}
              form={found?.form}
              unreadable={unreadable}
              onChange={(reading) => change({ reading })}
            />
            {hasCategories && <CategoryColumn {...category} columns={found?.columns} />}
          </div>
          {shown && <CategoryExamples cells={found?.categoryExamples ?? []} separators={shown} />}
          {hasCategories && (
            <Accordion chevronPosition="left" classNames={{ ...classes, root: classes.advanced }}>
              <Accordion.Item value={ADVANCED}>
                <Accordion.Control>Advanced</Accordion.Control>
                <Accordion.Panel>
                  <div className={classes.fields}>
                    <CategorySeparators {...category} />
                  </div>
                </Accordion.Panel>
              </Accordion.Item>
            </Accordion>
          )}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

/** How the cells of the detected column are read; null when another column is chosen, of which none are known. */
function readingOfExamples(
  chosen: CategoryReading | null,
  detected: CategoryReading | null,
): CategoryReading | null {
  if (!detected || !chosen) return detected
  return foldName(chosen.column) === foldName(detected.column) ? chosen : null
}

const READING = 'reading'
const ADVANCED = 'advanced'

function summarize(reading: SourceReading, isSuspicious = false): string {
  const chosen = describeChoices(reading)
  if (chosen !== undefined) return chosen
  return isSuspicious ? 'Automatic: please check what was found' : 'Automatic'
}
