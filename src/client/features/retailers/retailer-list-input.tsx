import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { MAX_RETAILERS_AT_ONCE } from '../../../shared/constants'
import { FormFooter } from '../../components/form/form-footer'
import { CsvDownload } from '../../components/layout/csv-download'
import { showError } from '../../lib/toast'
import { useFocusOnMount } from '../../lib/use-focus-on-mount'

import classes from './retailer-list.module.css'

const EXAMPLE = [
  ['Store Name', 'Email', 'Username', 'Categories', 'Sync Frequency'],
  ['Corner Shop', 'orders@corner.example', 'corner-shop', '', 'Daily'],
  ['Summit Sports', 'stock@summit.example', '', 'Shoes | Hats > Caps', '60'],
]

interface RetailerListInputProps {
  text: string
  error: string | null
  isPending: boolean
  /** What is chosen for all of them. */
  children: ReactNode
  onChange: (text: string) => void
  onCheck: () => void
}

async function readText(file: File | null, onRead: (text: string) => void): Promise<void> {
  if (!file) return
  try {
    onRead(await file.text())
  } catch {
    showError('The file could not be read')
  }
}

/** The list, pasted or read from a file. */
export function RetailerListInput(props: RetailerListInputProps) {
  const list = useFocusOnMount<HTMLTextAreaElement>()
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.onCheck()
      }}
    >
      <Stack gap="md">
        <Text c="dimmed" fz="sm" textWrap="pretty">
          One retailer per line, up to {MAX_RETAILERS_AT_ONCE}. Required are Store Name and Email;
          optional are Username (else the email address), Categories separated by “|” (else all
          products) and Sync Frequency (else daily). Passwords are generated.
        </Text>
        <Group gap="xs">
          <FileButton
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(file) => void readText(file, props.onChange)}
          >
            {(button) => (
              <Button
                {...button}
                variant="default"
                leftSection={<IconUpload size={16} aria-hidden="true" />}
              >
                Choose a file
              </Button>
            )}
          </FileButton>
          <CsvDownload
            rows={EXAMPLE}
            fileName="retailers-example.csv"
            variant="subtle"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
          >
            Download an example
          </CsvDownload>
        </Group>
        <Textarea
          label="List of retailers"
          placeholder={EXAMPLE.map((cells) => cells.join(',')).join('\n')}
          rows={10}
          wrap="off"
          spellCheck={false}
          classNames={{ input: classes.list }}
          ref={list}
          value={props.text}
          error={props.error}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        />
        {props.children}
        <FormFooter submitLabel="Check the list" isPending={props.isPending} />
      </Stack>
    </form>
  )
}
