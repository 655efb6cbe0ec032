import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import { generatePassword } from '../../../shared/generate-password'
import { NewPasswordInput, type NewPasswordInputProps } from './new-password-input'

import classes from './generated-password-input.module.css'

interface GeneratedPasswordInputProps extends NewPasswordInputProps {
  onGenerate: (password: string) => void
}

/** Field for another person's new password, with a button that fills in a random one and shows it. */
export function GeneratedPasswordInput({ onGenerate, ...props }: GeneratedPasswordInputProps) {
  const [isVisible, visibility] = useDisclosure(false)
  return (
    <div className={classes.field}>
      <NewPasswordInput visible={isVisible} onVisibilityChange={visibility.toggle} {...props} />
      <Button
        size="compact-xs"
        variant="subtle"
        className={classes.generate}
        onClick={() => {
          onGenerate(generatePassword(props.minLength))
          visibility.open()
        }}
      >
        Generate
      </Button>
    </div>
  )
}
