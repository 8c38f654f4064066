// Passwords that guessers try first and that are long enough to pass otherwise, or that become so with digits at their ends.
// In lower case and without marks, as src/app/people/password-rules.ts compares them.

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password passwords passw0rd p4ssw0rd p4ssword pass word mypassword thepassword newpassword changeme changemenow
  letmein letmeinnow welcome welcomeback welcometo iloveyou iloveyouso iloveyoutoo trustno1 adminadmin administrator
  administration admin root superuser test tester testing testtest qwerty qwertyuiop qwertyuiopas qwertyuiopasdf
  qwertyqwerty qwerty123456 asdfghjkl asdfghjklzxc zxcvbnm zxcvbnmasdfg zxcvbnmzxcvbnm 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
  1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv qazwsx qazwsxedc qazwsxedcrfv zaq12wsx abc abcd abcdef monkey dragon sunshine
  princess football baseball basketball superman batman starwars master shadow michael jesus jesuschrist godisgood
  godisgreat thankgod blessed blessing blessings nigeria lagos abuja naira stablecoin sliproad company business security
  secret secrets topsecret correcthorsebatterystaple whatever computer internet unknown default summer winter spring
  autumn january february march april june july august september october november december monday friday sunday
  freedom forever family mother father manchester manutd manchesterunited arsenal chelsea liverpool barcelona realmadrid`.split(
    /\s+/,
  ),
);
