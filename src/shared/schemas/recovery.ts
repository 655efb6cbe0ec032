import { z } from 'zod'

import { newPasswordSchema } from './primitives'

/** Who has forgotten a password: a username, or the address that the person has confirmed. */
export const passwordLinkInput = z.object({
  login: z
    .string({ error: 'Username or e-mail is required' })
    .trim()
    .min(1, 'Username or e-mail is required')
    .max(1_000),
})
export type PasswordLinkInput = z.infer<typeof passwordLinkInput>

const token = z.string({ error: 'token is required' }).max(100)

export const openPasswordLinkInput = z.object({ token })

/** What is seen by the link of a mail: for whose password it is. */
export const openedPasswordLinkSchema = z.object({ username: z.string() })

export const newPasswordInput = z.object({
  token,
  newPassword: newPasswordSchema,
})

/** The form of the link's page, where the new password is entered twice. */
export const newPasswordFormSchema = z
  .object({
    newPassword: newPasswordSchema,
    confirmPassword: z.string().min(1, 'Please confirm your password'),
  })
  .superRefine(({ newPassword, confirmPassword }, context) => {
    if (confirmPassword && newPassword !== confirmPassword) {
      context.addIssue({
        code: 'custom',
        path: ['confirmPassword'],
        message: "Passwords don't match",
      })
    }
  })
export type NewPasswordForm = z.infer<typeof newPasswordFormSchema>
