import { Textarea, type TextareaProps } from '@mantine/core'

interface NetworksFieldProps extends TextareaProps {
  /** When somebody would enter some. */
  reason: string
}

/** The networks from which alone something may be used, one a line. */
export const NetworksField = ({ reason, ...props }: NetworksFieldProps) => (
  <Textarea
    label="Networks"
    description={`${reason} One a line; empty for any.`}
    placeholder="203.0.113.0/24"
    rows={2}
    spellCheck={false}
    {...props}
  />
)

export const toNetworks = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
