# Runs blocks of code one after the other, all with the same variables, as packetdrill does.
# Reads the blocks from standard input, and answers on standard output: the index of each block before it begins, and then
# how it ended. Nothing that the blocks write gets between.
import io, json, os, sys, traceback

LONGEST = 1 << 16


class Printed(io.StringIO):
    def write(self, text):
        super().write(text[: max(0, LONGEST - self.tell())])
        return len(text)


def answer(kind, content):
    answers.write(json.dumps({kind: content}) + "\n")
    answers.flush()


def run(blocks):
    names = {"__name__": "__main__", "sys": sys, "traceback": traceback}
    programs = []
    # A block that cannot be read fails before any is run.
    for index, block in enumerate(blocks):
        answer("begun", index)
        programs.append(compile(block["code"] + "\n\n", "script", "exec", dont_inherit=True))
    for index, block in enumerate(blocks):
        answer("begun", index)
        names.update(block["names"])
        exec(programs[index], names)


blocks = json.load(sys.stdin)
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
sys.stdout = printed = Printed()
failed = None
try:
    run(blocks)
except BaseException as error:
    # Leaving early is no failure where it is none for a shell.
    if not isinstance(error, SystemExit) or error.code not in (None, 0):
        text = str(error)[:LONGEST]
        failed = type(error).__name__ + (": " + text if text else "")
answer("ended", {"failed": failed, "printed": printed.getvalue()})
